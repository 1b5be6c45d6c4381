using System.Reflection;
using System.Text.Json;
using Raven.Client.Documents.Entities;
using Raven.Client.Http;

namespace Raven.Client.Documents.Conventions;

/// <summary>
/// How objects become documents and how the client behaves. <see cref="IDocumentStore.Initialize"/> freezes the
/// conventions: a later change throws, so that all sessions have the same.
/// </summary>
public sealed class DocumentConventions : IRequestConventions
{
    private readonly Dictionary<Type, Func<string, object, Task<string>>> _idConventions = [];
    private readonly CollectionNameCache _names;
    private EntitySerializer? _serializer;

    /// <summary>Makes conventions with the default values.</summary>
    public DocumentConventions() => _names = new CollectionNameCache(this);

    /// <summary>
    /// The most requests of one session; 30 unless set. The next one throws
    /// <see cref="Exceptions.SessionRequestLimitException"/>.
    /// </summary>
    public int MaxNumberOfRequestsPerSession { get; set => field = Unfrozen(value); } = 30;

    /// <summary>
    /// Whether a save fails if a document was changed in between. True unless set: no change is overwritten silently.
    /// </summary>
    public bool UseOptimisticConcurrency { get; set => field = Unfrozen(value); } = true;

    /// <summary>How long to wait for an answer; a minute unless set.</summary>
    public TimeSpan RequestTimeout { get; set => field = Unfrozen(value); } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// How long a query waits for its index if it waits for results that are not stale; 15 seconds unless set.
    /// </summary>
    public TimeSpan WaitForNonStaleResultsTimeout { get; set => field = Unfrozen(value); } = TimeSpan.FromSeconds(15);

    /// <summary>
    /// The character between the parts of an id; a slash unless set. It cannot be '|', which stands for an identity.
    /// </summary>
    /// <exception cref="ArgumentException">It is '|'.</exception>
    public char IdentityPartsSeparator
    {
        get;
        set => field = Unfrozen(value) != '|'
            ? value
            : throw new ArgumentException("'|' asks for an identity: it cannot separate the parts of an id.");
    } = '/';

    /// <summary>
    /// Whether a write that was perhaps done is sent to the next server. Not unless set: the caller gets an
    /// <see cref="Exceptions.OutcomeUnknownException"/>. Only for writes that may be done twice, or are conditional.
    /// </summary>
    public bool RepeatUncertainWrites { get; set => field = Unfrozen(value); }

    /// <summary>Whether enumerations are written as numbers; as their names unless set.</summary>
    public bool SaveEnumsAsIntegers { get; set => field = Unfrozen(value); }

    /// <summary>
    /// Whether properties of a document that its class does not have are kept when it is saved. True unless set.
    /// </summary>
    public bool PreserveDocumentPropertiesNotFoundOnModel { get; set => field = Unfrozen(value); } = true;

    /// <summary>
    /// Whether the urls of the store are used as they are, without reading the topology from a server.
    /// </summary>
    public bool DisableTopologyUpdates { get; set => field = Unfrozen(value); }

    /// <summary>Which server a read goes to.</summary>
    public ReadBalanceBehavior ReadBalanceBehavior { get; set => field = Unfrozen(value); }

    /// <summary>
    /// The size of the cache of answers in bytes; they are requested again with their entity tags. 64 MB unless set, 0
    /// for no cache.
    /// </summary>
    public long MaxHttpCacheSizeBytes { get; set => field = Unfrozen(value); } = 64L * 1024 * 1024;

    /// <summary>Whether larger request bodies are sent compressed. False unless set: it costs more than it saves in one
    /// data center.</summary>
    public bool UseHttpCompression { get; set => field = Unfrozen(value); }

    /// <summary>Whether the server may send its answers compressed.</summary>
    public bool UseHttpDecompression { get; set => field = Unfrozen(value); }

    /// <summary>The clock of timeouts and of the ages of cached answers; the system's unless set.</summary>
    public TimeProvider Clock { get; set => field = Unfrozen(value); } = TimeProvider.System;

    /// <summary>
    /// Makes the handler that sends requests, for proxies and tests; null takes one that pools connections.
    /// </summary>
    public Func<HttpMessageHandler>? CreateHttpMessageHandler { get; set => field = Unfrozen(value); }

    /// <summary>Changes how <c>System.Text.Json</c> writes and reads entities: converters, naming.</summary>
    public Action<JsonSerializerOptions>? CustomizeSerializer { get; set => field = Unfrozen(value); }

    /// <summary>The collection of a type; null takes the plural of its name.</summary>
    public Func<Type, string?>? FindCollectionName { get; set => field = Unfrozen(value); }

    /// <summary>Whether a member of a type holds the id; a text named <c>Id</c> unless set.</summary>
    public Func<MemberInfo, bool> FindIdentityProperty { get; set => field = Unfrozen(value); } =
        member => member.Name == "Id";

    /// <summary>
    /// The first part of the ids of a collection: <c>users</c> for Users, <c>OrderLines</c> as it is.
    /// </summary>
    public Func<string, string> TransformTypeCollectionNameToDocumentIdPrefix { get; set => field = Unfrozen(value); } =
        collection => collection.Count(char.IsUpper) <= 1 ? collection.ToLowerInvariant() : collection;

    /// <summary>
    /// Makes the id of a new document from the database and the entity; null takes the next number of a range (HiLo).
    /// </summary>
    public Func<string, object, Task<string>>? AsyncDocumentIdGenerator { get; set => field = Unfrozen(value); }

    /// <summary>True once a store that has these conventions is initialized.</summary>
    public bool IsFrozen { get; private set; }

    internal EntitySerializer Serializer => _serializer ??= new EntitySerializer(this);

    /// <summary>Makes the ids of one type and of types derived from it.</summary>
    /// <param name="makeId">Given the database and the entity.</param>
    public DocumentConventions RegisterAsyncIdConvention<T>(Func<string, T, Task<string>> makeId)
    {
        ArgumentNullException.ThrowIfNull(makeId);
        Unfrozen(makeId);
        _idConventions[typeof(T)] = (database, entity) => makeId(database, (T)entity);
        return this;
    }

    /// <summary>The collection that entities of a type go to.</summary>
    public string GetCollectionName(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return _names.Get(type);
    }

    internal void Freeze() => IsFrozen = true;

    /// <summary>The convention that was registered for a type, or for the nearest of its base types.</summary>
    internal Func<string, object, Task<string>>? IdConventionOf(Type type)
    {
        for (Type? current = type; current != null; current = current.BaseType)
        {
            if (_idConventions.TryGetValue(current, out Func<string, object, Task<string>>? convention))
            {
                return convention;
            }
        }

        return _idConventions.FirstOrDefault(pair => pair.Key.IsAssignableFrom(type)).Value;
    }

    private T Unfrozen<T>(T value) => !IsFrozen
        ? value
        : throw new InvalidOperationException(
            "The conventions of a store are frozen once it is initialized: set them before.");
}
