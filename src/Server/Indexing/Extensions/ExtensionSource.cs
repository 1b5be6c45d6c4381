using System.Text;
using Raven.Storage.Checksums;

namespace Raven.Server.Indexing.Extensions;

/// <summary>An analyzer or a sorter as it was written.</summary>
/// <param name="Kind">Which of the two.</param>
/// <param name="Name">Its name, which is that of its class.</param>
/// <param name="Code">C#.</param>
internal sealed record ExtensionSource(ExtensionKind Kind, string Name, string Code)
{
    /// <summary>The name with a hash of the code: an index that was made by other code does not know it.</summary>
    internal string Version => $"{Name}#{XxHash3.Hash(Encoding.UTF8.GetBytes(Code), 0):x16}";
}
