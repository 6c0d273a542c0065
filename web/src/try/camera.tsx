import { useEffect, useRef, useState } from 'preact/hooks';

interface CameraProps {
  onPicture(picture: Blob): void;
  onProblem(message: string): void;
}

/** A picture taken here, where the browser lets the page use a camera (this machine, or a page by https). */
export function Camera({ onPicture, onProblem }: CameraProps) {
  const [stream, setStream] = useState<MediaStream>();
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current && stream) {
      video.current.srcObject = stream;
      void video.current.play();
    }
    return () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
  }, [stream]);
  if (!navigator.mediaDevices) return null;
  const open = async () => {
    try {
      setStream(await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 1280 } }, audio: false }));
    } catch (error) {
      onProblem(`The camera could not be opened: ${(error as Error).message}`);
    }
  };
  const take = () => {
    const source = video.current as HTMLVideoElement;
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: source.videoWidth, height: source.videoHeight });
    canvas.getContext('2d')?.drawImage(source, 0, 0);
    canvas.toBlob((blob) => {
      if (blob) onPicture(blob);
      setStream(undefined);
    }, 'image/png');
  };
  if (!stream)
    return (
      <button type="button" onClick={open}>
        Take one …
      </button>
    );
  return (
    <span class="camera">
      {/* What a camera shows has no captions. */}
      <video ref={video} muted playsInline aria-label="What the camera sees" />
      <button type="button" class="main" onClick={take}>
        Take the picture
      </button>
      <button type="button" onClick={() => setStream(undefined)}>
        Close the camera
      </button>
    </span>
  );
}
