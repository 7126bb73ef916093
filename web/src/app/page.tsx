import { App } from '@/workspace/App';

export default function Page() {
  return <App />;
}
