using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.MoreLikeThis;

/// <summary>Selects the document to compare with.</summary>
public interface IMoreLikeThisBuilder<T>
{
    /// <summary>
    /// The first document that a condition finds: <c>x => x.Id == "articles/1"</c>. It is not among the results.
    /// </summary>
    IMoreLikeThisOperations UsingDocument(Expression<Func<T, bool>> predicate);

    /// <summary>A document that need not be stored.</summary>
    /// <param name="documentJson">The document as JSON.</param>
    IMoreLikeThisOperations UsingDocument(string documentJson);
}
