using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using Raven.Client.Documents;
using Raven.Client.Documents.Operations;
using Raven.Client.Exceptions;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;

namespace Raven.TestDriver;

/// <summary>
/// Gives each test a store over an empty database of its own. All tests of the process share one server, which the
/// first test starts; a database takes milliseconds, and is deleted when its store is disposed. Derive test classes
/// from it, or make one. Safe for all threads.
/// </summary>
public class RavenTestDriver
{
    /// <summary>A database name has at most 128 characters; the number behind it takes some.</summary>
    private const int NameLengthMax = 110;

    private static int _databases;

    /// <summary>The url of the server, to inspect it during a test.</summary>
    public static string ServerUrl => SharedServer.Get(isSecured: false).Url;

    /// <summary>The url of the server that speaks https, which is another one.</summary>
    public static string SecuredServerUrl => SharedServer.Get(isSecured: true).Url;

    /// <summary>
    /// Override it to have the stores of a class speak https: <see cref="IDocumentStore.Certificate"/> is then that of
    /// a client that may do everything. Such tests share a second server, which takes some tenths of a second to start.
    /// </summary>
    protected virtual bool IsSecured => false;

    /// <summary>A store over a new, empty database. Dispose it: the database is deleted with it.</summary>
    /// <param name="configure">Sets conventions before the store is initialized; null leaves them.</param>
    /// <param name="database">
    /// The first part of the name of the database; the name of the calling method unless given. Characters that a
    /// database name cannot have, as in <c>.ctor</c> or letters other than a to z, are left out.
    /// </param>
    public IDocumentStore GetDocumentStore(
        Action<DocumentStore>? configure = null, [CallerMemberName] string database = "test")
    {
        ArgumentNullException.ThrowIfNull(database);
        string name = string.Create(
            CultureInfo.InvariantCulture, $"{NameOf(database)}_{Interlocked.Increment(ref _databases)}");
        SharedServer server = SharedServer.Get(IsSecured);
        DocumentStore store = server.NewStore(name);
        try
        {
            PreInitialize(store);
            configure?.Invoke(store);
            store.Initialize();
            server.Store.Maintenance.Server.Send(new CreateDatabaseOperation(new DatabaseRecord(name)));
            store.AfterDispose += (_, _) => Delete(server, name);
            SetupDatabase(store);
            return store;
        }
        catch
        {
            // No other code has it: the new database is deleted with it.
            store.Dispose();
            throw;
        }
    }

    /// <summary>Waits until no index of the database is stale.</summary>
    /// <param name="store">The store.</param>
    /// <param name="timeout">How long to wait; a minute unless given.</param>
    /// <exception cref="TimeoutException">Some still are; the message names them.</exception>
    public static void WaitForIndexing(IDocumentStore store, TimeSpan? timeout = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        TimeSpan limit = timeout ?? TimeSpan.FromMinutes(1);
        long begin = Stopwatch.GetTimestamp();
        using var pause = new ManualResetEventSlim();
        while (true)
        {
            DatabaseStatistics statistics = store.Maintenance.Send(new GetStatisticsOperation())!;
            string[] stale = [.. statistics.Indexes.Where(index => index.IsStale).Select(index => index.Name)];
            if (stale.Length == 0)
            {
                return;
            }

            if (Stopwatch.GetElapsedTime(begin) > limit)
            {
                throw new TimeoutException($"Still stale after {limit}: {string.Join(", ", stale)}.");
            }

            pause.Wait(TimeSpan.FromMilliseconds(5));
        }
    }

    /// <summary>Override it to set conventions of all stores of a class.</summary>
    protected virtual void PreInitialize(IDocumentStore documentStore)
    {
    }

    /// <summary>Override it to fill each new database.</summary>
    protected virtual void SetupDatabase(IDocumentStore documentStore)
    {
    }

    private static string NameOf(string text)
    {
        string name = string.Concat(text.Where(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '-' or '.')).Trim('.');
        return name.Length <= NameLengthMax ? name : name[..NameLengthMax];
    }

    private static void Delete(SharedServer server, string name)
    {
        try
        {
            server.Store.Maintenance.Server.Send(new DeleteDatabasesOperation(name, hardDelete: true));
        }
        catch (RavenException)
        {
            // The test has deleted it, or the process ends: it is deleted with the server.
        }
    }
}
