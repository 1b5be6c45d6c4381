namespace Raven.Storage.Checks;

/// <summary>What findings call a structure and its parts. Made once, so that an audit allocates no strings.</summary>
internal sealed class StructureNames(string name)
{
    internal string Name { get; } = name;

    internal string StreamNames => field ??= $"{Name}: names";

    internal string StreamChunks => field ??= $"{Name}: chunks";

    internal string HeapPages => field ??= $"{Name}: list of pages";

    internal string HeapFreeSpace => field ??= $"{Name}: free space";
}
