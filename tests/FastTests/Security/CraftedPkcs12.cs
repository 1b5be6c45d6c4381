using System.Formats.Asn1;

namespace FastTests.Security;

/// <summary>Makes files of PKCS#12 (RFC 7292) that no tool would write.</summary>
internal static class CraftedPkcs12
{
    private const string Data = "1.2.840.113549.1.7.1";
    private const string CertificateBag = "1.2.840.113549.1.12.10.1.3";
    private const string SafeContentsBag = "1.2.840.113549.1.12.10.1.6";
    private const string X509Certificate = "1.2.840.113549.1.9.22.1";
    private const string FriendlyName = "1.2.840.113549.1.9.20";
    private const string Sha256 = "2.16.840.1.101.3.4.2.1";

    /// <summary>A safe with one certificate.</summary>
    /// <param name="der">The certificate.</param>
    /// <param name="names">How often the attribute with its name is there.</param>
    internal static byte[] Certificate(byte[] der, int names)
    {
        var value = new AsnWriter(AsnEncodingRules.DER);
        using (value.PushSequence())
        {
            value.WriteObjectIdentifier(X509Certificate);
            WriteExplicit(value, writer => writer.WriteOctetString(der));
        }

        return Safe(CertificateBag, value.Encode(), names);
    }

    /// <summary>A safe with another in it.</summary>
    internal static byte[] Nest(byte[] safe) => Safe(SafeContentsBag, safe, names: 0);

    /// <summary>A file with one safe.</summary>
    /// <param name="safe">The safe.</param>
    /// <param name="macRounds">The rounds with which its checksum says that its key is derived; 0 for none.</param>
    internal static byte[] File(byte[] safe, int macRounds = 0)
    {
        var safes = new AsnWriter(AsnEncodingRules.DER);
        using (safes.PushSequence())
        {
            WriteData(safes, safe);
        }

        var file = new AsnWriter(AsnEncodingRules.DER);
        using (file.PushSequence())
        {
            file.WriteInteger(3);
            WriteData(file, safes.Encode());
            if (macRounds > 0)
            {
                WriteMac(file, macRounds);
            }
        }

        return file.Encode();
    }

    private static byte[] Safe(string kind, byte[] value, int names)
    {
        var safe = new AsnWriter(AsnEncodingRules.DER);
        using (safe.PushSequence())
        {
            using (safe.PushSequence())
            {
                safe.WriteObjectIdentifier(kind);
                WriteExplicit(safe, writer => writer.WriteEncodedValue(value));
                if (names > 0)
                {
                    WriteNames(safe, names);
                }
            }
        }

        return safe.Encode();
    }

    private static void WriteNames(AsnWriter writer, int count)
    {
        using (writer.PushSetOf())
        {
            for (int i = 0; i < count; i++)
            {
                using (writer.PushSequence())
                {
                    writer.WriteObjectIdentifier(FriendlyName);
                    using (writer.PushSetOf())
                    {
                        writer.WriteCharacterString(UniversalTagNumber.BMPString, $"name{i}");
                    }
                }
            }
        }
    }

    private static void WriteMac(AsnWriter writer, int rounds)
    {
        using (writer.PushSequence())
        {
            using (writer.PushSequence())
            {
                using (writer.PushSequence())
                {
                    writer.WriteObjectIdentifier(Sha256);
                    writer.WriteNull();
                }

                writer.WriteOctetString(new byte[32]);
            }

            writer.WriteOctetString(new byte[8]);
            writer.WriteInteger(rounds);
        }
    }

    private static void WriteData(AsnWriter writer, byte[] content)
    {
        using (writer.PushSequence())
        {
            writer.WriteObjectIdentifier(Data);
            WriteExplicit(writer, inner => inner.WriteOctetString(content));
        }
    }

    private static void WriteExplicit(AsnWriter writer, Action<AsnWriter> write)
    {
        using (writer.PushSequence(new Asn1Tag(TagClass.ContextSpecific, 0)))
        {
            write(writer);
        }
    }
}
