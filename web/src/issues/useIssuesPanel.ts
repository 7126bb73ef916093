import { useCallback, useEffect, useState } from 'react';
import { issueInHash } from '@/lib/router';
import { type Panel, usePanel } from '@/ui/usePanel';

/** Moves the focus to an issue; to the one that is active in the panel if `id` is null. */
export interface FocusRequest {
  id: string | null;
}

export interface IssuesPanelState extends Panel {
  /** A new object for each request. */
  request: FocusRequest | null;
  /** Opens the panel, at an issue if one is given. */
  show: (id?: string) => void;
}

export function useIssuesPanel(debateId: string): IssuesPanelState {
  const panel = usePanel('issues', debateId);
  const [request, setRequest] = useState<FocusRequest | null>(null);
  const { show: open, close: hide } = panel;

  const show = useCallback(
    (id: string | null = null) => {
      setRequest({ id });
      open();
    },
    [open],
  );
  const close = useCallback(() => {
    setRequest(null);
    hide();
  }, [hide]);

  useEffect(() => {
    const showLinked = () => {
      const id = issueInHash();
      if (id !== null) show(id);
    };
    showLinked();
    window.addEventListener('hashchange', showLinked);
    return () => window.removeEventListener('hashchange', showLinked);
  }, [show]);

  return { ...panel, request, show, close };
}
