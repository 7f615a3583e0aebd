/** The class of the colour that a photo has as a whole, of 27: what is seen until it is there (`photo.css`). */
export const tintOf = (colour: string): string =>
  `tint-${colour.replaceAll(/(.)./g, (_, sixteenths: string) => String((parseInt(sixteenths, 16) * 3) >> 4))}`;
