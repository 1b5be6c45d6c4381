using System.Diagnostics.CodeAnalysis;
using Raven.Storage.Errors;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>Reports pages whose content cannot be what was written.</summary>
internal static class Damage
{
    /// <summary>Throws the exception for a damaged page.</summary>
    /// <exception cref="StorageCorruptedException">Always.</exception>
    [DoesNotReturn]
    internal static void Throw(long pageNumber, string what) =>
        throw new StorageCorruptedException(
            DataFile.Name, pageNumber * PageHeader.PageSizeInBytes, $"page {pageNumber} {what}");

    /// <summary>The exception for a damaged structure, if its page is not known.</summary>
    internal static StorageCorruptedException Of(string what) => new(DataFile.Name, -1, what);
}
