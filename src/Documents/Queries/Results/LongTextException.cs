namespace Raven.Documents.Queries.Results;

/// <summary>A script looks at a text for which it has to wait: then its result is made again, from the start.</summary>
internal sealed class LongTextException : Exception
{
}
