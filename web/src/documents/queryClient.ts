import { focusManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '@/api/client';
import { handleAuthFailure } from '@/auth/access';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}

// Lists are fetched again when the window gets the focus, not only when a hidden tab becomes visible.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus();
  window.addEventListener('focus', listener);
  return () => window.removeEventListener('focus', listener);
});

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: 'always' } },
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError) handleAuthFailure(error.failure);
      },
    }),
  });
}
