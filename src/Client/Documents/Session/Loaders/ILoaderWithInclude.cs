using System.Linq.Expressions;

namespace Raven.Client.Documents.Session.Loaders;

/// <summary>A load that includes other documents.</summary>
public interface ILoaderWithInclude<T>
{
    /// <summary>Also includes the documents whose ids are at a path.</summary>
    ILoaderWithInclude<T> Include(string path);

    /// <summary>Also includes the document whose id is in a property.</summary>
    ILoaderWithInclude<T> Include(Expression<Func<T, string?>> path);

    /// <summary>Also includes the documents whose ids are in a list.</summary>
    ILoaderWithInclude<T> Include(Expression<Func<T, IEnumerable<string>>> path);

    /// <summary>Loads the document; null if there is none.</summary>
    T? Load(string id);

    /// <summary>Loads the documents; null for those that are not there.</summary>
    Dictionary<string, T?> Load(IEnumerable<string> ids);

    /// <summary>Loads the document as another type.</summary>
    TResult? Load<TResult>(string id);
}
