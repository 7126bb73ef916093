// Shows that a debate needs a ruling where pages cannot do so themselves, as on phones, and leads to its card. It
// answers no requests: without the server there is nothing to show.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data?.path ?? '/', self.location.origin)));
});

/** Shows an address of the app in a page that is open, else in a new one. */
async function show(url) {
  if (url.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0];
  if (page === undefined) {
    await self.clients.openWindow(url.href);
    return;
  }
  page.postMessage({ show: url.pathname + url.search + url.hash });
  await page.focus();
}
