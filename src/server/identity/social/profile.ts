import { isVisible, oneLine } from '#contract/text.ts';
import { SocialRefusal, type SocialProfile } from './provider.ts';

const MAX_NAME_LENGTH = 200;
const MAX_EMAIL_LENGTH = 254;
const MAX_SUBJECT_LENGTH = 255;
const MAX_PHOTO_LENGTH = 2_048;

/**
 * Wider than the rule of the forms: the service has sent mail there. Nothing that could end or forge a line of a mail.
 */
// oxlint-disable-next-line no-control-regex
const ADDRESS = /^[^\s<>()[\]\\,;:"@\u0000-\u001f\u007f]+@[^\s<>()[\]\\,;:"@\u0000-\u001f\u007f]+$/;

const isAddress = (text: string): boolean =>
  text.length >= 3 && text.length <= MAX_EMAIL_LENGTH && text.isWellFormed() && ADDRESS.test(text);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const nameOf = (values: readonly unknown[]): string => {
  const names = values.map((value) => oneLine(textOf(value).toWellFormed()).slice(0, MAX_NAME_LENGTH).toWellFormed());
  return names.find(isVisible) ?? '';
};

const photoOf = (value: unknown): string => {
  const url = URL.parse(textOf(value));
  if (url?.protocol !== 'https:' || url.href.length > MAX_PHOTO_LENGTH) return '';
  return url.href;
};

/** What a service said of a user, checked and made fit to be stored; `names` in the order they are preferred. */
export const profileOf = (said: {
  issuer: string;
  subject: unknown;
  email: unknown;
  isVerified: boolean;
  names: readonly unknown[];
  photo: unknown;
}): SocialProfile => {
  const subject = textOf(said.subject);
  if (subject === '' || subject.length > MAX_SUBJECT_LENGTH || !/^[\x21-\x7e]+$/.test(subject)) {
    throw new SocialRefusal('unusable', 'the service did not say who it is');
  }
  const email = textOf(said.email);
  if (email === '' || !said.isVerified) throw new SocialRefusal('unverified', 'the service vouches for no address');
  if (!isAddress(email)) throw new SocialRefusal('unusable', 'the address cannot be used');
  const name = nameOf([...said.names, email.split('@')[0]]);
  return { issuer: said.issuer, subject, email, name: name === '' ? 'Reader' : name, photoUrl: photoOf(said.photo) };
};
