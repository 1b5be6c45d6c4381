using System.Diagnostics.CodeAnalysis;
using Raven.Storage.Errors;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>Reports pages, and what is in them, that cannot be what was written.</summary>
internal static class Damage
{
    /// <summary>Throws for a page.</summary>
    /// <exception cref="StorageCorruptedException">Always.</exception>
    [DoesNotReturn]
    internal static void Throw(long pageNumber, string what) =>
        throw new StorageCorruptedException(
            DataFile.Name, pageNumber * PageHeader.PageSizeInBytes, $"page {pageNumber} {what}");

    /// <summary>The damage of a structure whose page is not known here.</summary>
    internal static StorageCorruptedException Of(string what) => new(DataFile.Name, -1, what);
}
