using System.IO.Hashing;
using System.Text;

namespace Raven.Documents.Indexing.Extensions;

/// <summary>The source of an analyzer or a sorter.</summary>
/// <param name="Kind">Analyzer or sorter.</param>
/// <param name="Name">Its name, which is that of its class.</param>
/// <param name="Code">The code, C#.</param>
public sealed record ExtensionSource(ExtensionKind Kind, string Name, string Code)
{
    /// <summary>The name with a hash of the code: an index that was written by other code does not accept it.</summary>
    internal string Version => $"{Name}#{XxHash3.HashToUInt64(Encoding.UTF8.GetBytes(Code)):x16}";
}
