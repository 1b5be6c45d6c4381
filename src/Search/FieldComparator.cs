namespace Raven.Search;

/// <summary>
/// An order of the values of a field, in code of its own. It compares what fields have: an entry without a value, or
/// with null, comes before or behind all others, and of several values the least counts, descending the greatest, as in
/// every order of a field. One object serves all threads, so that it keeps no state.
/// </summary>
public abstract class FieldComparator
{
    /// <summary>Compares two values.</summary>
    /// <returns>Less than 0 where the left one comes first, more than 0 where the right one does, else 0.</returns>
    public abstract int Compare(SortValue left, SortValue right);
}
