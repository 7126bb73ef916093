import { useQuery } from '@tanstack/react-query';
import { api } from './client';

/** What the server says of itself; undefined until it has. */
export const useInfo = () => useQuery({ queryKey: ['info'], queryFn: ({ signal }) => api.info(signal) }).data;
