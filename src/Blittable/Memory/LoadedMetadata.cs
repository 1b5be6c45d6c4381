using System.Reflection;
using System.Reflection.Metadata;

namespace Raven.Blittable.Memory;

/// <summary>
/// The metadata of assemblies as the process has loaded them: in a single-file program they are in no separate file.
/// </summary>
public static class LoadedMetadata
{
    /// <summary>Finds the metadata of an assembly in memory. It stays there while the assembly is loaded.</summary>
    /// <param name="assembly">The assembly.</param>
    /// <param name="address">Its address.</param>
    /// <param name="sizeBytes">Its length in bytes.</param>
    /// <returns>False if there is none, for example for an assembly that was made at run time.</returns>
    public static unsafe bool TryGet(Assembly assembly, out nint address, out int sizeBytes)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        bool isThere = assembly.TryGetRawMetadata(out byte* start, out sizeBytes);
        address = (nint)start;
        return isThere;
    }
}
