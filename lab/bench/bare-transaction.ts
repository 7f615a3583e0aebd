// What the money bench compares with: a bare node:http server whose every request is one small transaction of a bare pg
// pool.
import { createServer } from 'node:http';
import pg from 'pg';

const CONNECTIONS = 10;

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: CONNECTIONS });
await pool.query('CREATE TABLE IF NOT EXISTS bare (id integer PRIMARY KEY, taken integer NOT NULL)');
await pool.query('INSERT INTO bare SELECT n, 0 FROM generate_series(0, 99) n ON CONFLICT DO NOTHING');

const take = async (id: number): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT taken FROM bare WHERE id = $1 FOR UPDATE', [id]);
    await client.query('UPDATE bare SET taken = taken + 1 WHERE id = $1', [id]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
};

const server = createServer((request, response) => {
  const id = Number(request.url?.slice(1)) % 100;
  take(id).then(
    () => response.end('{}'),
    () => response.writeHead(500).end(),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`BARE=${typeof address === 'object' ? address?.port : 0}`);
});
