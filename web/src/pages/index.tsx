export { App as default } from '@/workspace/App';
