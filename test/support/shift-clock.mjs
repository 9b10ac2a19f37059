// For `node --import`: the process sees the machine's clock off by CLOCK_SHIFT_MS.
import { advanceClock } from '../../libs/platform/src/testbed/clock.testbed.ts';

advanceClock(Number(process.env.CLOCK_SHIFT_MS));
