using Raven.Search;

namespace Raven.Documents.Indexing.Extensions;

/// <summary>A sorter that a user wrote.</summary>
internal sealed class CustomSorter(ExtensionSource source, FieldComparator inner) : FieldComparator
{
    /// <inheritdoc/>
    public override int Compare(SortValue left, SortValue right)
    {
        try
        {
            return inner.Compare(left, right);
        }
        catch (Exception e)
        {
            throw new ExtensionException(
                ExtensionProblem.Failed, ExtensionKind.Sorter, $"The sorter '{source.Name}' failed: {e.Message}", e);
        }
    }
}
