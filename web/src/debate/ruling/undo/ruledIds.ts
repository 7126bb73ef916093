import { createStore } from '@/lib/store';

/**
 * The ids of the debates that wait for a ruling which was made here and is not known to be stored, joined by spaces: the list leaves
 * them out, too. What knows of such rulings is loaded after the page.
 */
export const ruledIds = createStore('');
