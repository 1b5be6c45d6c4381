namespace Raven.Storage.Checks;

/// <summary>
/// The names of a structure and its parts in findings. Made once, so that an audit allocates no strings.
/// </summary>
internal sealed class StructureNames(string name)
{
    internal string Name { get; } = name;

    internal string StreamNames => field ??= $"{Name}: names";

    internal string StreamChunks => field ??= $"{Name}: chunks";

    internal string HeapPages => field ??= $"{Name}: list of pages";

    internal string HeapFreeSpace => field ??= $"{Name}: free space";
}
