using System.Linq.Expressions;

namespace Raven.Client.Documents.Session.Loaders;

/// <summary>A load that includes other documents.</summary>
public interface IAsyncLoaderWithInclude<T>
{
    /// <summary>Also includes the documents whose ids are at a path.</summary>
    IAsyncLoaderWithInclude<T> Include(string path);

    /// <summary>Also includes the document whose id is in a property.</summary>
    IAsyncLoaderWithInclude<T> Include(Expression<Func<T, string?>> path);

    /// <summary>Also includes the documents whose ids are in a list.</summary>
    IAsyncLoaderWithInclude<T> Include(Expression<Func<T, IEnumerable<string>>> path);

    /// <summary>Loads the document; null if there is none.</summary>
    Task<T?> LoadAsync(string id, CancellationToken cancellationToken = default);

    /// <summary>Loads the documents; null for those that are not there.</summary>
    Task<Dictionary<string, T?>> LoadAsync(IEnumerable<string> ids, CancellationToken cancellationToken = default);

    /// <summary>Loads the document as another type.</summary>
    Task<TResult?> LoadAsync<TResult>(string id, CancellationToken cancellationToken = default);
}
