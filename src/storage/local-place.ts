import { mirror } from './mirror.ts';
import { isS3 } from './s3-url.ts';

/** A path on this disk for what the user named: a file or folder as it is, an s3:// address as a folder of stand-ins. */
export const localPlace = async (place: string, name: string): Promise<string> =>
  isS3(place) ? mirror(place, name) : place;
