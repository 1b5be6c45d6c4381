using Lucene.Net.Util;
using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Files;
using OfLucene = Lucene.Net.Index.IndexReader;

namespace Raven.Search.Lucene.Engine.Searchers;

/// <summary>What searchers need of a snapshot of an index of Lucene.</summary>
internal interface ILuceneSnapshot
{
    /// <summary>The reader of Lucene. The thread enters the files before it uses it.</summary>
    OfLucene Reader { get; }

    /// <summary>Enters the files of the snapshot.</summary>
    StorageFiles.Scope Enter();

    /// <summary>The field of a name, or null.</summary>
    IndexField? FindField(string name);

    /// <summary>Whether a field has lengths of time.</summary>
    bool HasLengthsOfTime(IndexField field);

    /// <summary>Copies bytes into memory that is valid for some hundred more copies.</summary>
    NativeSlice Keep(BytesRef bytes);
}
