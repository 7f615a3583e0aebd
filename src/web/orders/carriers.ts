/** Who carries parcels, and where each shows how far one is; the number goes in the place of `{}`. */
const CARRIERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    USPS: 'https://tools.usps.com/go/TrackConfirmAction?tLabels={}',
    UPS: 'https://www.ups.com/track?tracknum={}',
    FedEx: 'https://www.fedex.com/fedextrack/?trknbr={}',
    DHL: 'https://www.dhl.com/us-en/home/tracking.html?tracking-id={}',
    'Canada Post': 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor={}',
    'Royal Mail': 'https://www.royalmail.com/track-your-item#/tracking-results/{}',
    'Australia Post': 'https://auspost.com.au/mypost/track/#/details/{}',
  }),
);

export const CARRIER_NAMES: readonly string[] = [...CARRIERS.keys()];

/** Where a parcel can be followed; undefined for a carrier that is not known, and without a number. */
export const trackingUrl = (carrier: string, tracking: string): string | undefined =>
  tracking === ''
    ? undefined
    : CARRIERS.get(carrier)?.replace('{}', encodeURIComponent(tracking.replaceAll(/\s/g, '')));
