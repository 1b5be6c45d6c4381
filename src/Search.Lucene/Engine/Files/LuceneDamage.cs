using Lucene.Net.Index;
using Raven.Storage.Errors;

namespace Raven.Search.Lucene.Engine.Files;

/// <summary>What Lucene finds wrong with its files is damage of the index, as what storage finds.</summary>
internal static class LuceneDamage
{
    /// <summary>Whether a failure says that files are damaged.</summary>
    internal static bool IsIt(Exception failure) => Inner(failure) is CorruptIndexException or EndOfStreamException
        or FileNotFoundException or IndexNotFoundException or IndexFormatTooNewException or IndexFormatTooOldException;

    /// <summary>The exception that an index reports for it.</summary>
    internal static StorageCorruptedException Of(Exception failure) =>
        new("lucene files", 0, $"Lucene cannot read it ({Inner(failure).Message})");

    /// <summary>The cause that Lucene has put into its exception of a merge.</summary>
    internal static Exception Inner(Exception failure) =>
        failure is MergePolicy.MergeException { InnerException: { } cause } ? cause : failure;
}
