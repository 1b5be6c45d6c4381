namespace FastTests.Compression;

/// <summary>LZ4 blocks as a bad disk or an attacker makes them.</summary>
internal static class DamagedBlocks
{
    /// <summary>Changes, cuts or lengthens a block. Returns its new length.</summary>
    internal static int Damage(Random random, Span<byte> block, int length)
    {
        for (int changes = random.Next(3); changes >= 0; changes--)
        {
            switch (random.Next(5))
            {
                case 0:
                    length = random.Next(length + 1);
                    break;
                case 1 when length < block.Length:
                    block[length++] = (byte)random.Next(256);
                    break;
                case 2 when length > 0:
                    block[random.Next(length)] = 255;
                    break;
                default:
                    if (length > 0)
                    {
                        block[random.Next(length)] ^= (byte)(1 << random.Next(8));
                    }

                    break;
            }
        }

        return length;
    }

    /// <summary>
    /// What we refuse and liblz4 1.9 may let pass, depending on how far it is from the end of the target: offset 0,
    /// which the format forbids, and fewer than 5 literals behind the last match.
    /// </summary>
    internal static bool IsBeyondTheRules(ReadOnlySpan<byte> block)
    {
        int at = 0;
        while (at < block.Length)
        {
            int token = block[at++];
            at = SkipLength(block, at, token >> 4, out int literals) + literals;
            if (at + 2 > block.Length)
            {
                return false;
            }

            if (at + 8 > block.Length || (block[at] == 0 && block[at + 1] == 0))
            {
                return true;
            }

            at = SkipLength(block, at + 2, token & 15, out _);
        }

        return false;
    }

    private static int SkipLength(ReadOnlySpan<byte> block, int at, int nibble, out int length)
    {
        length = nibble;
        int part = nibble == 15 ? 255 : 0;
        while (part == 255 && at < block.Length)
        {
            part = block[at++];
            length += part;
        }

        return at;
    }
}
