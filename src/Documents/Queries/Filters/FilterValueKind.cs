namespace Raven.Documents.Queries.Filters;

/// <summary>The kinds of values of a filter.</summary>
internal enum FilterValueKind
{
    Null,
    False,
    True,
    Number,
    Text,
}
