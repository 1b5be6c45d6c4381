using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.MoreLikeThis;

/// <summary>Says which document others are to be like.</summary>
public interface IMoreLikeThisBuilder<T>
{
    /// <summary>The first one that a condition finds: <c>x => x.Id == "articles/1"</c>. It is none of the
    /// results.</summary>
    IMoreLikeThisOperations UsingDocument(Expression<Func<T, bool>> predicate);

    /// <summary>One that need not be stored.</summary>
    /// <param name="documentJson">The document as JSON.</param>
    IMoreLikeThisOperations UsingDocument(string documentJson);
}
