using System.Text;

namespace Raven.Cluster.Store;

/// <summary>Changes of keys that are done together if all of their conditions hold.</summary>
/// <param name="Conditions">What must hold; a key is compared once.</param>
/// <param name="Changes">What is done; a key is changed once.</param>
public sealed record StoreTxn(IReadOnlyList<StoreCondition> Conditions, IReadOnlyList<StoreChange> Changes)
{
    /// <summary>The most conditions, and the most changes, of a transaction.</summary>
    public const int CountMax = 60;

    /// <summary>The most bytes of its keys and values together: below what etcd takes by default.</summary>
    public const int BytesMax = 1 << 20;

    /// <summary>The longest key.</summary>
    public const int KeyBytesMax = 240;

    /// <summary>Writes a key if it is as it was read.</summary>
    /// <param name="key">The key.</param>
    /// <param name="modRevision">Its ModRevision as read; 0 if it must not be there.</param>
    /// <param name="value">What is written.</param>
    /// <param name="lease">The lease that it is bound to; 0 for none.</param>
    public static StoreTxn Put(string key, long modRevision, byte[] value, long lease = 0) =>
        new([new StoreCondition(key, modRevision)], [new StoreChange(key, value, lease)]);

    /// <summary>Deletes a key if it is as it was read.</summary>
    /// <param name="key">The key.</param>
    /// <param name="modRevision">Its ModRevision as read.</param>
    public static StoreTxn Delete(string key, long modRevision) =>
        new([new StoreCondition(key, modRevision)], [new StoreChange(key, null)]);

    /// <summary>Why no store takes it; null if they do.</summary>
    public string? ProblemOf()
    {
        if (Conditions.Count > CountMax || Changes.Count > CountMax)
        {
            return $"A transaction has at most {CountMax} conditions and {CountMax} changes.";
        }

        HashSet<string> keys = new(StringComparer.Ordinal);
        long bytes = 0;
        foreach (StoreChange change in Changes)
        {
            if (!keys.Add(change.Key))
            {
                return $"'{change.Key}' is changed twice in one transaction.";
            }

            bytes += change.Key.Length + (change.Value?.Length ?? 0);
        }

        keys.Clear();
        foreach (StoreCondition condition in Conditions)
        {
            if (!keys.Add(condition.Key) || condition.ModRevision < 0)
            {
                return $"'{condition.Key}' is compared twice in one transaction, or with a negative revision.";
            }
        }

        return bytes > BytesMax
            ? $"A transaction has at most {BytesMax} bytes; this one has {bytes}."
            : Changes.Select(each => each.Key).Concat(keys).Select(ProblemOfKey).FirstOrDefault(each => each != null);
    }

    /// <summary>Why a text is no key; null if it is one.</summary>
    /// <param name="key">The text.</param>
    public static string? ProblemOfKey(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return key.Length is 0 or > KeyBytesMax || !Ascii.IsValid(key) || key.AsSpan().ContainsAnyInRange('\0', '\x1f')
            ? $"'{key}' is no key: it has 1 to {KeyBytesMax} printable characters of ASCII."
            : null;
    }
}
