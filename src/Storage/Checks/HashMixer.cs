namespace Raven.Storage.Checks;

/// <summary>A 64-bit hash of two numbers, for sums that compare sets.</summary>
internal static class HashMixer
{
    internal static ulong Mix(ulong left, ulong right)
    {
        ulong high = Math.BigMul(left ^ 0x9E3779B97F4A7C15, right ^ 0xC2B2AE3D27D4EB4F, out ulong low);
        ulong folded = (high ^ low) * 0x165667B19E3779F9;
        return folded ^ (folded >> 32);
    }
}
