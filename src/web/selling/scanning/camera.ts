/** A camera that is on. */
export interface Camera {
  readonly stream: MediaStream;
  /** Switches its light; undefined where it has none that can be switched. */
  readonly setLight: ((on: boolean) => Promise<void>) | undefined;
  stop(): void;
}

/** Of the light the types of TypeScript know nothing. */
interface WithTorch {
  readonly torch?: boolean;
}

/** Why no camera can be used, as a sentence. */
export const cameraProblem = (error: unknown): string => {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError')
    return 'The camera may not be used here: allow it in your browser, take a picture, or type the number.';
  if (name === 'NotFoundError' || name === 'OverconstrainedError')
    return 'There is no camera here: choose a picture of the barcode, or type the number.';
  if (name === 'NotReadableError')
    return 'The camera is in use by something else: close that and scan again, or type the number.';
  return 'The camera could not be opened: take a picture, or type the number.';
};

/** Opens the camera at the back where there are two. Throws what the browser says; see `cameraProblem`. */
export const openCamera = async (): Promise<Camera> => {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: { ideal: 'environment' }, width: { ideal: 1_280 } },
  });
  const [track] = stream.getVideoTracks();
  const has: MediaTrackCapabilities & WithTorch = track?.getCapabilities?.() ?? {};
  const setLight = async (on: boolean): Promise<void> => {
    const advanced: (MediaTrackConstraintSet & WithTorch)[] = [{ torch: on }];
    await track?.applyConstraints({ advanced });
  };
  return {
    stream,
    setLight: has.torch === true ? setLight : undefined,
    stop: () => {
      for (const one of stream.getTracks()) one.stop();
    },
  };
};
