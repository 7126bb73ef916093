import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { translator } from '@/i18n';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { language } from './prefs';

/** Whatever breaks in drawing the page costs a reload, not the draft. */
export class Crash extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    const t = translator(language.get());
    return (
      <main className="grid h-dvh">
        <Notice heading="h1" icon={TriangleAlert} title={t('error.title')}>
          <p className="text-sm text-muted">{t('error.text')}</p>
          <Button onClick={() => location.reload()}>{t('error.reload')}</Button>
        </Notice>
      </main>
    );
  }
}
