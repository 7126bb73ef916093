import { QueryClientProvider } from '@tanstack/react-query';
import { closeDocuments, type DocumentsRoute } from '@/lib/documentRoute';
import { Drawer } from '@/ui/drawer';
import { DocumentListScreen } from './DocumentListScreen';
import { DocumentScreen } from './DocumentScreen';
import { pageQueries } from './queries';

/** The drawer with the list of documents or with one document. */
export default function DocumentsDrawer({ route }: { route: DocumentsRoute }) {
  return (
    <QueryClientProvider client={pageQueries}>
      <Drawer size="half" onClose={closeDocuments}>
        {route.kind === 'list' ? <DocumentListScreen /> : <DocumentScreen key={route.id} route={route} />}
      </Drawer>
    </QueryClientProvider>
  );
}
