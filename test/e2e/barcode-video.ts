// A film of a barcode, as Chromium's fake camera shows it: EAN-13 with the five digits of a price beside it (GS1
// General Specifications, 5.2).
import { writeFile } from 'node:fs/promises';

/** The seven modules of each digit left of the middle, of odd parity; the other two sets are made of it. */
const ODD = [
  '0001101',
  '0011001',
  '0010011',
  '0111101',
  '0100011',
  '0110001',
  '0101111',
  '0111011',
  '0110111',
  '0001011',
];
const flipped = (modules: string): string => [...modules].map((bit) => (bit === '1' ? '0' : '1')).join('');
const RIGHT = ODD.map(flipped);
const EVEN = RIGHT.map((modules) => [...modules].reverse().join(''));

/** Which digits of the left half are of even parity says the first digit. */
const FIRST = ['OOOOOO', 'OOEOEE', 'OOEEOE', 'OOEEEO', 'OEOOEE', 'OEEOOE', 'OEEEOO', 'OEOEOE', 'OEOEEO', 'OEEOEO'];
/** The same for the add-on, by its check digit. */
const ADD_ON = ['EEOOO', 'EOEOO', 'EOOEO', 'EOOOE', 'OEEOO', 'OOEEO', 'OOOEE', 'OEOEO', 'OEOOE', 'OOEOE'];

const half = (digits: string, parities: string): string[] =>
  [...digits].map((digit, place) => (parities[place] === 'E' ? EVEN : ODD)[Number(digit)] ?? '');

/** The bars of 13 digits, and of five more behind them, as modules: `1` is black. */
export const barsOf = (digits: string): string => {
  const left = half(digits.slice(1, 7), FIRST[Number(digits[0])] ?? '').join('');
  const right = Array.from(digits.slice(7, 13), (digit) => RIGHT[Number(digit)] ?? '').join('');
  const code = `101${left}01010${right}101`;
  const addOn = digits.slice(13);
  if (addOn === '') return code;
  const sum = [...addOn].reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 3 : 9), 0);
  return `${code}${'0'.repeat(9)}1011${half(addOn, ADD_ON[sum % 10] ?? '').join('01')}`;
};

const WIDTH = 640;
const HEIGHT = 480;
const MODULE = 3;
const [WHITE, BLACK, GREY] = [235, 16, 128];
const FRAMES = 10;

/** Writes a film in which `digits` are held into the camera. */
export const writeFilm = async (file: string, digits: string): Promise<void> => {
  const bars = barsOf(digits);
  const from = Math.round((WIDTH - bars.length * MODULE) / 2);
  const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  for (let y = HEIGHT * 0.3; y < HEIGHT * 0.7; y += 1) {
    for (let x = 0; x < bars.length * MODULE; x += 1) {
      if (bars[Math.floor(x / MODULE)] === '1') luma[y * WIDTH + from + x] = BLACK;
    }
  }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((WIDTH * HEIGHT) / 2, GREY)]);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  await writeFile(file, Buffer.concat([head, ...Array.from({ length: FRAMES }, () => frame)]));
};
