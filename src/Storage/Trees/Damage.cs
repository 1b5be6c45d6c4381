using System.Diagnostics.CodeAnalysis;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>Reports pages whose content cannot be what was written.</summary>
internal static class Damage
{
    private const string DataFile = "data";

    /// <summary>Throws for a page.</summary>
    /// <exception cref="StorageCorruptedException">Always.</exception>
    [DoesNotReturn]
    internal static void Throw(long pageNumber, string what) =>
        throw new StorageCorruptedException(
            DataFile, pageNumber * PageHeader.PageSizeInBytes, $"page {pageNumber} {what}");
}
