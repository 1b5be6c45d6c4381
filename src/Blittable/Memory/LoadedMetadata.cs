using System.Reflection;
using System.Reflection.Metadata;

namespace Raven.Blittable.Memory;

/// <summary>The metadata of assemblies as the process has them loaded: those of a program that is one file are in no
/// file of their own.</summary>
public static class LoadedMetadata
{
    /// <summary>Says where the metadata of an assembly lies. It stays there while the assembly is loaded.</summary>
    /// <param name="assembly">The assembly.</param>
    /// <param name="address">Where it begins.</param>
    /// <param name="sizeBytes">How long it is.</param>
    /// <returns>False where there is none, as of an assembly that was made at run time.</returns>
    public static unsafe bool TryGet(Assembly assembly, out nint address, out int sizeBytes)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        bool isThere = assembly.TryGetRawMetadata(out byte* start, out sizeBytes);
        address = (nint)start;
        return isThere;
    }
}
