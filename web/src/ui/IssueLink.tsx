import type { ComponentProps } from 'react';
import { useT } from '@/i18n';
import { issueHash } from '@/lib/router';
import { useIssueLinks } from './issueLinks';
import { Link } from './Link';

interface IssueLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  id: string;
}

/** Shows an issue in the panel. Plain text if the debate has no such issue. */
export function IssueLink({ id, children, ...props }: IssueLinkProps) {
  const t = useT();
  const links = useIssueLinks();
  const issue = links?.find(id);
  if (!links || issue === undefined) return <>{children}</>;
  const title = t('issues.tooltip', { title: issue.title, status: t.label('status', issue.status) });
  return (
    <Link href={links.path + issueHash(id)} onNavigate={() => links.show(id)} title={title} {...props}>
      {children}
    </Link>
  );
}
