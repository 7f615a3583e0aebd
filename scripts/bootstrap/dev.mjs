import { main as run } from './run.mjs';
import { checkPort } from './port.mjs';

export const main = async () => {
  await checkPort();
  process.env.NODE_ENV = 'development';
  return run(['dev']);
};
