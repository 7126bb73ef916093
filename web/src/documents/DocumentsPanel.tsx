import { Drawer } from '@/ui/drawer';
import { DocumentScreen } from './DocumentScreen';
import { ListScreen } from './ListScreen';
import { close, type Place } from './place';

/** The list of documents or one of them, over the page. It is fetched when the first one is opened. */
export default function DocumentsPanel({ place }: { place: Place }) {
  return (
    <Drawer wide={place.kind === 'document' && place.view === 'changes'} onClose={close}>
      {place.kind === 'list' ? <ListScreen /> : <DocumentScreen key={place.id} place={place} />}
    </Drawer>
  );
}
