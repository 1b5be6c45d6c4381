using System.Linq.Expressions;
using Raven.Client.Documents.Commands;

namespace Raven.Client.Documents.Session.Loaders;

/// <summary>Both kinds of loaders, asynchronous and blocking, over one list of includes.</summary>
internal sealed class LoaderWithInclude<T>(AsyncDocumentSession session, string path)
    : IAsyncLoaderWithInclude<T>, ILoaderWithInclude<T>
{
    private readonly IncludeList _list = new() { Paths = { path } };

    public IAsyncLoaderWithInclude<T> Include(string path)
    {
        _list.Paths.Add(path);
        return this;
    }

    public IAsyncLoaderWithInclude<T> Include(Expression<Func<T, string?>> path) => Include(PathOf(path));

    public IAsyncLoaderWithInclude<T> Include(Expression<Func<T, IEnumerable<string>>> path) =>
        Include(PathOf(path));

    public Task<T?> LoadAsync(string id, CancellationToken cancellationToken = default) =>
        LoadAsync<T>(id, cancellationToken);

    public async Task<TResult?> LoadAsync<TResult>(string id, CancellationToken cancellationToken = default)
    {
        Dictionary<string, TResult?> loaded =
            await session.LoadCoreAsync<TResult>([id], _list, cancellationToken).ConfigureAwait(false);
        return loaded.GetValueOrDefault(id);
    }

    public Task<Dictionary<string, T?>> LoadAsync(
        IEnumerable<string> ids, CancellationToken cancellationToken = default) =>
        session.LoadCoreAsync<T>([.. ids], _list, cancellationToken);

    ILoaderWithInclude<T> ILoaderWithInclude<T>.Include(string path)
    {
        Include(path);
        return this;
    }

    ILoaderWithInclude<T> ILoaderWithInclude<T>.Include(Expression<Func<T, string?>> path)
    {
        Include(path);
        return this;
    }

    ILoaderWithInclude<T> ILoaderWithInclude<T>.Include(Expression<Func<T, IEnumerable<string>>> path)
    {
        Include(path);
        return this;
    }

    public T? Load(string id) => LoadAsync(id).GetAwaiter().GetResult();

    public Dictionary<string, T?> Load(IEnumerable<string> ids) => LoadAsync(ids).GetAwaiter().GetResult();

    public TResult? Load<TResult>(string id) => LoadAsync<TResult>(id).GetAwaiter().GetResult();

    private string PathOf(LambdaExpression path) => session.Conventions.Serializer.PathOf(path);
}
