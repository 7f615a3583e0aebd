// Opens COUNT connections to URL, says nothing on them and keeps them until it is ended: node
// test/hostile/idle-clients.ts URL COUNT. A process of its own, since each connection takes a file handle on both
// sides.
import { rawClient } from './socket.ts';

const BATCH = 100;
const [url = '', count = '0'] = process.argv.slice(2);
for (let opened = 0; opened < Number(count); opened += BATCH) {
  await Promise.all(Array.from({ length: BATCH }, () => rawClient(url)));
}
process.stdout.write('open\n');
