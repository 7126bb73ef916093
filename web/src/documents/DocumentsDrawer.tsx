import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { closeDocuments, type DocumentsRoute } from '@/lib/documentRoute';
import { Drawer } from '@/ui/drawer';
import { DocumentListScreen } from './DocumentListScreen';
import { DocumentScreen } from './DocumentScreen';
import { createQueryClient } from './queries';

/** The drawer with the list of documents or with one document. Its cache is dropped when it is closed. */
export default function DocumentsDrawer({ route }: { route: DocumentsRoute }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <Drawer
        size={route.kind === 'document' && route.view === 'changes' ? 'wide' : 'half'}
        onClose={closeDocuments}
      >
        {route.kind === 'list' ? <DocumentListScreen /> : <DocumentScreen key={route.id} route={route} />}
      </Drawer>
    </QueryClientProvider>
  );
}
