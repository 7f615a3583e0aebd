/** Finds barcodes in a picture: the digits of each, those of its add-on behind them where there is one. */
export type Decode = (picture: HTMLVideoElement | ImageBitmap) => Promise<readonly string[]>;

/** As https://wicg.github.io/shape-detection-api has it, where a browser does. */
interface NativeDetector {
  detect(picture: ImageBitmapSource): Promise<readonly { readonly rawValue: string }[]>;
}
interface NativeDetectors {
  new (options: { formats: readonly string[] }): NativeDetector;
  getSupportedFormats(): Promise<readonly string[]>;
}

const FORMATS = ['ean_13', 'upc_a'];

const nativeDecoder = async (): Promise<Decode | undefined> => {
  const { BarcodeDetector: Detectors } = globalThis as { BarcodeDetector?: NativeDetectors };
  if (Detectors === undefined) return undefined;
  // It is there on machines without what it needs, too: then it knows no formats.
  const formats = await Detectors.getSupportedFormats().catch((): readonly string[] => []);
  if (!formats.includes('ean_13')) return undefined;
  const detector = new Detectors({ formats: FORMATS.filter((format) => formats.includes(format)) });
  return async (picture) => (await detector.detect(picture)).map(({ rawValue }) => rawValue);
};

/** The browser's own decoder where it has one for books, else one that is fetched when it is wanted. */
export const openDecoder = async (): Promise<Decode> =>
  (await nativeDecoder()) ?? (await import('./wasm-decoder.ts')).wasmDecoder();
