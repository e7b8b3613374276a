//! By what this machine and others of one's own know each other: a folder that
//! `thinlab certificates` makes. Who shows no certificate of the same authority
//! neither gives work nor gets any.
// SPDX-License-Identifier: Apache-2.0
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::version::TLS13;
use tokio_rustls::rustls::{
    AlertDescription, CertificateError, ClientConfig, Error, RootCertStore, ServerConfig,
};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::fault::{Fault, Outcome};

// As `thinlab certificates` calls them (backend/thinlab/tls/authority.py).
const AUTHORITY: &str = "authority.pem";
const CERTIFICATE: &str = "certificate.pem";
const KEY: &str = "key.pem";
/// What gRPC speaks, as TLS tells it.
const HTTP2: &[u8] = b"h2";

/// Where they are.
#[derive(Args, Clone)]
pub struct Certificates {
    /// This machine's folder of those that `thinlab certificates` makes, for tls://… addresses.
    #[arg(
        long = "certificates",
        env = "THINLAB_CERTIFICATES",
        value_name = "FOLDER"
    )]
    folder: Option<OsString>,
}

impl Certificates {
    /// For whoever listens: nobody comes in who shows none of the authority.
    pub fn acceptor(&self) -> Outcome<TlsAcceptor> {
        let papers = Papers::read(self.folder()?)?;
        let others = WebPkiClientVerifier::builder_with_provider(papers.authority, provider())
            .build()
            .map_err(|error| self.unfit(AUTHORITY, error))?;
        let mut config = ServerConfig::builder_with_provider(provider())
            .with_protocol_versions(&[&TLS13])
            .and_then(|config| {
                config
                    .with_client_cert_verifier(others)
                    .with_single_cert(papers.chain, papers.key)
            })
            .map_err(|error| self.unfit(KEY, error))?;
        config.alpn_protocols = vec![HTTP2.to_vec()];
        // Who is known comes again as a stranger, whose certificate is looked at.
        config.send_tls13_tickets = 0;
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    /// For whoever calls: only the machine of that name is spoken to.
    pub fn connector(&self) -> Outcome<TlsConnector> {
        let papers = Papers::read(self.folder()?)?;
        let mut config = ClientConfig::builder_with_provider(provider())
            .with_protocol_versions(&[&TLS13])
            .and_then(|config| {
                config
                    .with_root_certificates(papers.authority)
                    .with_client_auth_cert(papers.chain, papers.key)
            })
            .map_err(|error| self.unfit(KEY, error))?;
        config.alpn_protocols = vec![HTTP2.to_vec()];
        Ok(TlsConnector::from(Arc::new(config)))
    }

    fn folder(&self) -> Outcome<&Path> {
        // A variable that is set to nothing names nothing.
        let named = self.folder.as_deref().filter(|name| !name.is_empty());
        named.map(Path::new).ok_or_else(|| {
            Fault::Failed(
                "a tls:// address needs certificates: give --certificates this machine's folder \
                 of those that `thinlab certificates` makes"
                    .into(),
            )
        })
    }

    fn unfit(&self, name: &str, error: impl std::fmt::Display) -> Fault {
        let folder = PathBuf::from(self.folder.clone().unwrap_or_default());
        Fault::Failed(format!(
            "--certificates: {} will not do ({error}): make this machine others with `thinlab \
             certificates`",
            folder.join(name).display()
        ))
    }
}

/// What a folder holds.
struct Papers {
    authority: Arc<RootCertStore>,
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Papers {
    fn read(folder: &Path) -> Outcome<Self> {
        let mut authority = RootCertStore::empty();
        for certificate in certificates(&folder.join(AUTHORITY))? {
            authority
                .add(certificate)
                .map_err(|error| unreadable(&folder.join(AUTHORITY), error))?;
        }
        let key = folder.join(KEY);
        Ok(Self {
            authority: Arc::new(authority),
            chain: certificates(&folder.join(CERTIFICATE))?,
            key: PrivateKeyDer::from_pem_slice(&content(&key)?)
                .map_err(|error| unreadable(&key, error))?,
        })
    }
}

fn certificates(file: &Path) -> Outcome<Vec<CertificateDer<'static>>> {
    let found: Vec<_> = CertificateDer::pem_slice_iter(&content(file)?)
        .collect::<Result<_, _>>()
        .map_err(|error| unreadable(file, error))?;
    if found.is_empty() {
        return Err(unreadable(file, "it holds no certificate"));
    }
    Ok(found)
}

fn content(file: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(file).map_err(|error| unreadable(file, error))
}

fn unreadable(file: &Path, error: impl std::fmt::Display) -> Fault {
    Fault::Failed(format!(
        "--certificates: {} cannot be read ({error}): name this machine's folder of those that \
         `thinlab certificates` makes, and let the agent's user read it",
        file.display()
    ))
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// What went wrong between two machines, and what to do about it.
pub fn in_words(error: &std::io::Error) -> String {
    let cause = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<Error>());
    match cause {
        Some(Error::NoCertificatesPresented) => {
            "it shows no certificate: give it one that `thinlab certificates` makes".into()
        }
        Some(Error::InvalidMessage(_)) => {
            "it does not encrypt: give it this address with tls:// and certificates".into()
        }
        Some(Error::InvalidCertificate(fault)) => refused_certificate(fault),
        Some(Error::AlertReceived(alert)) => refused_by_it(*alert),
        _ => error.to_string(),
    }
}

fn refused_certificate(fault: &CertificateError) -> String {
    match fault {
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "its certificate is of another authority: make both in one folder of `thinlab \
             certificates`"
                .into()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has ended: make it another with `thinlab certificates`".into()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate holds only from later on: is one of the two clocks wrong?".into()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is of another name: use the name that it was made for, or make one \
             for this name with `thinlab certificates`"
                .into()
        }
        other => format!("its certificate will not do: {other}"),
    }
}

fn refused_by_it(alert: AlertDescription) -> String {
    match alert {
        AlertDescription::CertificateRequired | AlertDescription::NoCertificate => {
            "it asks for a certificate: give one that `thinlab certificates` makes".into()
        }
        AlertDescription::UnknownCA
        | AlertDescription::BadCertificate
        | AlertDescription::DecryptError => {
            "it does not take our certificate: is it of another authority, or of another name than \
             it looks for? Make both in one folder of `thinlab certificates`"
                .into()
        }
        AlertDescription::CertificateExpired => {
            "it says that our certificate has ended: make another with `thinlab certificates`"
                .into()
        }
        other => format!("it ended the greeting: {other:?}"),
    }
}
