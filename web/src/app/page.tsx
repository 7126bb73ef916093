import { App } from '@/shell/App';

export default function Page() {
  return <App />;
}
