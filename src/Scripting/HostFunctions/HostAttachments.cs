using System.Text;
using Raven.Blittable.Reading;
using Raven.Scripting.Documents;
using Raven.Scripting.Library;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.HostFunctions;

/// <summary>Attachments of documents, through the host.</summary>
internal static class HostAttachments
{
    internal static void Build(RealmBuilder builder)
    {
        HostLibrary.Lookup(builder, "attachmentsFor", 1, (run, _, a) =>
        {
            string id = HostLibrary.IdOf(run, a.At(0));
            return DocumentValues.ToValue(run, HostLibrary.Ask(run, host => host.GetAttachments(id)));
        });
        HostLibrary.Lookup(builder, "loadAttachment", 2, (run, _, a) =>
        {
            string id = HostLibrary.IdOf(run, a.At(0));
            string wanted = Operations.ToText(run, a.At(1));
            foreach ((string name, BlittableValue facts) in AttachmentsOf(run, id))
            {
                if (name.Equals(wanted, StringComparison.OrdinalIgnoreCase))
                {
                    return WithContent(run, id, name, facts);
                }
            }

            return JsValue.Null;
        });
        HostLibrary.Lookup(builder, "loadAttachments", 1, (run, _, a) =>
        {
            string id = HostLibrary.IdOf(run, a.At(0));
            JsArray all = run.NewArray();
            foreach ((string name, BlittableValue facts) in AttachmentsOf(run, id))
            {
                run.Step();
                all.Add(run, WithContent(run, id, name, facts));
            }

            return new JsValue(all);
        });
    }

    private static List<(string Name, BlittableValue Facts)> AttachmentsOf(Run run, string id)
    {
        List<(string, BlittableValue)> found = [];
        if (HostLibrary.Ask(run, host => host.GetAttachments(id)).TryGetArray(out BlittableArray items))
        {
            for (int i = 0; i < items.Count; i++)
            {
                if (items[i].TryGetObject(out BlittableObject one) && one.TryGet("Name"u8, out BlittableValue own)
                    && own.TryGetString(out string name))
                {
                    found.Add((name, items[i]));
                }
            }
        }

        return found;
    }

    /// <summary>The facts of an attachment, and a function that reads it.</summary>
    private static JsValue WithContent(Run run, string id, string name, BlittableValue facts)
    {
        run.ChargeBytes(500);
        DocumentObject attachment = new(run.Realm.ObjectPrototype, facts.AsObject());
        RealmBuilder builder = new(run, run.Realm);
        builder.Method(attachment, "getContentAsString", 1, (inner, _, a) =>
        {
            Encoding encoding = EncodingOf(inner, a.At(0));
            string? text = HostLibrary.Ask(inner, host => host.GetAttachmentText(id, name, encoding));
            if (text is null)
            {
                return JsValue.Null;
            }

            inner.CheckStringLength(text.Length);
            return inner.NewString(text);
        });
        return new JsValue(attachment);
    }

    private static Encoding EncodingOf(Run run, JsValue name) => name.IsNullish
        ? Encoding.UTF8
        : Operations.ToText(run, name).ToUpperInvariant() switch
        {
            "UTF8" or "UTF-8" or "DEFAULT" => Encoding.UTF8,
            "ASCII" or "US-ASCII" => Encoding.ASCII,
            "UNICODE" or "UTF16" or "UTF-16" or "UTF16LE" or "UTF-16LE" => Encoding.Unicode,
            "LATIN1" or "ISO-8859-1" => Encoding.Latin1,
            var other => throw run.RangeError($"'{other}' is no encoding of a text: utf8, ascii, unicode, latin1"),
        };
}
