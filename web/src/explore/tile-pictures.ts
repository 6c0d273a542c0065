import { useEffect, useState } from 'preact/hooks';

/** A browser makes six requests at a time to one server; edits, which are slow, leave room for other requests. */
const mostAtOnce = 3;

interface Wanted {
  readonly url: string;
  isSeen: boolean;
  readonly stop: AbortController;
  tell(picture: string | undefined): void;
}

const waiting: Wanted[] = [];
let underWay = 0;

/**
 * Fetches pictures in sight before the others, in the order in which they were asked for: a screen fills from its top.
 */
function next(): void {
  while (underWay < mostAtOnce && waiting.length) {
    const seen = waiting.findIndex(({ isSeen }) => isSeen);
    const [wanted] = waiting.splice(seen < 0 ? 0 : seen, 1);
    underWay++;
    fetch(wanted.url, { signal: wanted.stop.signal })
      .then((response) => (response.ok ? response.blob() : undefined))
      .then((blob) => wanted.tell(blob && URL.createObjectURL(blob)))
      .catch(() => undefined)
      .finally(() => {
        underWay--;
        next();
      });
  }
}

/** Fetches a picture and gives its address as a blob; the request is aborted when the tile goes away. */
export function useTilePicture(
  url: string | undefined,
  isSeen: boolean,
): { src: string | undefined; hasFailed: boolean } {
  const [picture, setPicture] = useState<{ of: string; src: string | undefined }>();
  const [wanted, setWanted] = useState<Wanted>();
  useEffect(() => {
    if (url === undefined) return;
    let src: string | undefined;
    const mine: Wanted = {
      url,
      isSeen,
      stop: new AbortController(),
      tell(made) {
        src = made;
        if (mine.stop.signal.aborted && made) URL.revokeObjectURL(made);
        else setPicture({ of: url, src: made });
      },
    };
    setWanted(mine);
    waiting.push(mine);
    next();
    return () => {
      mine.stop.abort();
      const place = waiting.indexOf(mine);
      if (place >= 0) waiting.splice(place, 1);
      if (src) URL.revokeObjectURL(src);
    };
  }, [url]);
  if (wanted) wanted.isSeen = isSeen;
  const isOwn = picture !== undefined && picture.of === url;
  return { src: isOwn ? picture.src : undefined, hasFailed: isOwn && picture.src === undefined };
}
