import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { translator } from '@/i18n';
import { language } from '@/lib/preferences';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';

/** Offers a reload if rendering fails. Drafts are in storage and are not lost. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const t = translator(language.get());
    return (
      <main className="grid h-dvh">
        <Notice heading="h1" icon={TriangleAlert} title={t('error.title')}>
          <p className="text-sm text-muted-foreground">{t('error.text')}</p>
          <Button onClick={() => location.reload()}>{t('error.reload')}</Button>
        </Notice>
      </main>
    );
  }
}
