namespace Raven.Documents.Queries;

/// <summary>A path or a text that names what a query includes.</summary>
/// <param name="Number">The number of the argument, from 0; one that is a list of texts has several.</param>
/// <param name="Position">Its place in the text of the query, for errors.</param>
/// <param name="IsField">Whether it is written as a path; otherwise it is a text, which may be one, too.</param>
/// <param name="Text">The path or the text, as it is.</param>
/// <param name="Path">It without the alias of the results before it.</param>
/// <param name="IsResult">Whether it is the alias of the results, and nothing else.</param>
public readonly record struct QueryIncludeArgument(
    int Number, int Position, bool IsField, string Text, string Path, bool IsResult);
