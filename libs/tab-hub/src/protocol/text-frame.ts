const FINAL_TEXT = 0x81;
const LENGTH_IN_TWO_BYTES = 126;
const LENGTH_IN_EIGHT_BYTES = 127;

/** An unmasked text message of one frame, as it goes over the wire (RFC 6455, section 5.2). */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const start = length < LENGTH_IN_TWO_BYTES ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = FINAL_TEXT;
  if (start === 2) frame[1] = length;
  else if (start === 4) frame.writeUInt16BE(length, frame.writeUInt8(LENGTH_IN_TWO_BYTES, 1));
  else frame.writeBigUInt64BE(BigInt(length), frame.writeUInt8(LENGTH_IN_EIGHT_BYTES, 1));
  frame.write(text, start);
  return frame;
}
