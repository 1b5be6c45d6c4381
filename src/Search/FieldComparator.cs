namespace Raven.Search;

/// <summary>
/// A user-defined order of the values of a field. Entries without a value, or with null, come before or behind all
/// others, and of several values the least counts, descending the greatest, as in every order of a field. One object
/// serves all threads, so it must have no state.
/// </summary>
public abstract class FieldComparator
{
    /// <summary>Compares two values.</summary>
    /// <returns>Less than 0 if the left one comes first, more than 0 if the right one does, otherwise 0.</returns>
    public abstract int Compare(SortValue left, SortValue right);
}
