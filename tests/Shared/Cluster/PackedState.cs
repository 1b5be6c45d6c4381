namespace Shared.Cluster;

/// <summary>A state of the model in 24 bytes.</summary>
internal readonly record struct PackedState(ulong First, ulong Second, ulong Third)
{
    internal uint Hash()
    {
        ulong hash = (First ^ 0x9E3779B97F4A7C15) * 0xFF51AFD7ED558CCD;
        hash = (hash ^ (hash >> 32) ^ Second) * 0xFF51AFD7ED558CCD;
        hash = (hash ^ (hash >> 32) ^ Third) * 0xFF51AFD7ED558CCD;
        return (uint)(hash >> 32) ^ (uint)hash;
    }
}
